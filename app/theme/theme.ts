'use client';

import {
  type BadgeProps,
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core';

const { red } = DEFAULT_THEME.colors;
// Filled buttons use shade 7. White on Mantine's red 7 has a contrast of 3.8 : 1, below WCAG AA.
const readableRed = [...red.slice(0, 7), red[9], red[9], red[9]] as unknown as MantineColorsTuple;

/** The theme: the system's font, an accent colour with enough contrast, targets of 44 px. */
export const theme = createTheme({
  colors: { red: readableRed },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  components: {
    // Labels wrap instead of being cut on a narrow screen. Links that look like buttons centre
    // theirs.
    Button: {
      defaultProps: { mih: 44, h: 'auto', py: 6 },
      styles: {
        root: { display: 'inline-flex', alignItems: 'center', justifyContent: 'center' },
        label: { whiteSpace: 'normal', overflow: 'visible', lineHeight: 1.3 },
      },
    },
    ActionIcon: { defaultProps: { size: 44 } },
    TextInput: { defaultProps: { size: 'md' }, styles: { input: { minHeight: 44 } } },
    PasswordInput: {
      defaultProps: { size: 'md', rightSectionWidth: 48 },
      styles: {
        input: { minHeight: 46 },
        innerInput: { minHeight: 44 },
        visibilityToggle: { width: 44, height: 44 },
      },
    },
    NativeSelect: { defaultProps: { size: 'md' }, styles: { input: { minHeight: 44 } } },
    Badge: {
      defaultProps: { variant: 'dot', size: 'lg', tt: 'none', miw: 'max-content' },
      // Mantine's grey dot is hardly visible in the dark scheme.
      vars: (_theme: MantineTheme, { color, variant }: BadgeProps) => ({
        root: variant === 'dot' && color === 'gray' ? { '--badge-dot-color': 'var(--mantine-color-dimmed)' } : {},
      }),
    },
    // Its <header> would be a second banner landmark of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: { defaultProps: { centered: true } },
  },
});

/** Colours of secondary text that meet WCAG 2.2 AA. Mantine's own have 3.3 : 1. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
    '--mantine-color-placeholder': theme.colors.gray[7],
  },
  dark: {
    '--mantine-color-placeholder': theme.colors.dark[1],
    '--mantine-color-dimmed': theme.colors.dark[1],
    '--mantine-color-error': theme.colors.red[4],
  },
});
