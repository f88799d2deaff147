'use client';

import '#app/theme/mantine.css';
import {
  type BadgeProps,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
  MantineProvider,
  type MantineTheme,
} from '@mantine/core';
import { type ReactNode, use } from 'react';
import { PageNonce } from '#app/theme/theme-provider.tsx';

/** The layout of pages with Mantine's components. Sign-in, bell and documentation do without their 30 kB. */
export function Kit({ children }: { children: ReactNode }) {
  const nonce = use(PageNonce);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={nonce === undefined ? undefined : () => nonce}
    >
      {children}
    </MantineProvider>
  );
}

const tuple = (shades: string) => shades.split(' ') as unknown as MantineColorsTuple;

const colors = {
  // The accent. Its shades 8 and 6 are `--accent-fill` of the light and the dark theme.
  brand: tuple('#e2f0ee #c9e4e1 #9fd0cb #74bdb6 #4faba3 #2f9790 #1c7b77 #157370 #0f6b68 #0a5452'),
  gray: tuple('#faf9f7 #f3f1ed #e9e6e0 #e4e1da #cbc6bc #a39d91 #868076 #5b6166 #3f4447 #24282b'),
  // Text first, then lines and surfaces down to the page's ground.
  dark: tuple('#ccd1d8 #9ba3ad #8b939d #69727d #2b3138 #252b32 #1f242b #171a1f #0f1114 #0b0d0f'),
  // Filled buttons use shades 6 to 8. White on Mantine's red 7 has a contrast of 3.8 : 1, below AA.
  red: tuple(`${DEFAULT_THEME.colors.red.slice(0, 6).join(' ')} #c5372d #b3261e #b3261e #8f1d17`),
};

// The theme of Mantine's components, from the values of `tokens.css`: system fonts, targets of 44 px.
const theme = createTheme({
  colors,
  primaryColor: 'brand',
  primaryShade: { light: 8, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: 'var(--type-28)', lineHeight: '1.25' },
      h2: { fontSize: 'var(--type-20)', lineHeight: '1.35' },
      h3: { fontSize: 'var(--type-16)', lineHeight: '1.4' },
      h4: { fontSize: 'var(--type-16)', lineHeight: '1.4' },
      h5: { fontSize: 'var(--type-14)', lineHeight: '1.45' },
    },
  },
  // In px: larger type needs the room for itself.
  spacing: { xs: '10px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  radius: { sm: '6px', md: '8px', lg: '14px' },
  components: {
    Card: { defaultProps: { radius: 'lg', shadow: 'var(--shadow)' } },
    // Labels wrap instead of being cut on a narrow screen. Links that look like buttons centre theirs.
    Button: {
      defaultProps: { mih: 44, h: 'auto', py: 6 },
      styles: {
        root: { display: 'inline-flex', alignItems: 'center', justifyContent: 'center' },
        label: { whiteSpace: 'normal', overflow: 'visible', lineHeight: 1.3 },
      },
    },
    ActionIcon: { defaultProps: { size: 44 } },
    TextInput: { defaultProps: { size: 'md' }, styles: { input: { minHeight: 44 } } },
    NativeSelect: { defaultProps: { size: 'md' }, styles: { input: { minHeight: 44 } } },
    Textarea: { defaultProps: { size: 'md' } },
    Chip: { defaultProps: { size: 'md' }, vars: () => ({ root: { '--chip-size': '44px', '--chip-padding': '14px' } }) },
    Checkbox: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'md' }, classNames: { root: 'tall' } },
    Badge: {
      defaultProps: { variant: 'dot', size: 'md', fw: 600, tt: 'none' },
      styles: { root: { height: 'auto' }, label: { overflow: 'visible', whiteSpace: 'normal' } },
      // Mantine's grey dot is hardly visible in the dark scheme.
      vars: (_theme: MantineTheme, { color, variant }: BadgeProps) => ({
        root: variant === 'dot' && color === 'gray' ? { '--badge-dot-color': 'var(--mantine-color-dimmed)' } : {},
      }),
    },
    // Its <header> would be a second banner landmark of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: {
      defaultProps: { centered: true, radius: 'lg', transitionProps: { duration: 150 } },
      styles: { title: { fontSize: 'var(--type-18)', fontWeight: 600, lineHeight: 1.35 } },
    },
    Table: { defaultProps: { fz: 'var(--type-14)', lh: 1.43 } },
  },
});
