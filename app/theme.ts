'use client';

import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** The look: the system's own font, one accent colour with enough contrast, targets of 44 px. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  components: {
    Button: { defaultProps: { mih: 44 } },
    ActionIcon: { defaultProps: { size: 44 } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Badge: { defaultProps: { variant: 'dot', size: 'lg', tt: 'none' } },
    // Its <header> would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: { defaultProps: { centered: true } },
  },
});

/** Secondary text dark (or light) enough for WCAG 2.2 AA; the kit's own is 3.3 : 1. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: { '--mantine-color-dimmed': theme.colors.gray[7], '--mantine-color-placeholder': theme.colors.gray[6] },
  dark: { '--mantine-color-dimmed': theme.colors.dark[1] },
});
