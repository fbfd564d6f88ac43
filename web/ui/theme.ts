// The theme: one accent, greys, dense spacing, and the accessibility that default props can settle once.
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineTheme,
  type MantineThemeOverride,
} from '@mantine/core';
import { createElement, type ReactNode } from 'react';
import type { Shades } from '#contract/shades.ts';
import { CapsLockHint } from './caps-lock-hint.tsx';
import { rescueFocus } from './rescue-focus.ts';

/** Cool greys; from 6 on they carry text on white (5.0:1 and more). */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e6e9ee',
  '#d9dee5',
  '#c3cad4',
  '#97a1af',
  '#626d7c',
  '#4a5462',
  '#313a46',
  '#1b222c',
];

/** From the brightest text to the deepest ground; 7 is the page. */
const dark: MantineColorsTuple = [
  '#e3e7ee',
  '#c3cad6',
  '#9ba5b5',
  '#6c7788',
  '#39424f',
  '#2a313c',
  '#1f252e',
  '#161b22',
  '#10141a',
  '#0a0d12',
];

/** The line of a box and its label: as high as the least target of WCAG 2.5.8, and the box level with its first line. */
const roomyLine = (size: '--checkbox-size' | '--radio-size') => ({
  root: { '--label-lh-sm': '1.5rem' },
  body: { alignItems: 'flex-start' },
  inner: { flex: 'none', marginTop: `calc((var(--label-lh) - var(${size})) / 2)` },
});

const base = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { gray, dark },
  black: '#1b222c',
  defaultRadius: 'sm',
  radius: { xs: '0.1875rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1rem', lineHeight: '1.4' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  // Named by key and not through their `extend`, so that a page loads only the components that it shows.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    // Mantine's light badges fall short of 4.5:1; text colour on a plain ground does not.
    Badge: {
      defaultProps: { variant: 'default', radius: 'sm', tt: 'none', fw: 500 },
      // Small letters stand unevenly where each is moved to a whole pixel.
      styles: { root: { letterSpacing: 0, textRendering: 'geometricPrecision' } },
    },
    Button: {
      defaultProps: { size: 'sm' },
      styles: { label: { fontWeight: 500 } },
      // Buttons that read like links look like links.
      vars: (_theme: MantineTheme, { variant }: { variant?: string }) => ({
        root: variant === 'subtle' ? { '--button-color': 'var(--mantine-color-anchor)' } : {},
      }),
    },
    Checkbox: { styles: roomyLine('--checkbox-size') },
    CloseButton: { styles: { root: { '--cb-size-sm': '1.5rem' } } },
    Drawer: { defaultProps: { onExitTransitionEnd: rescueFocus } },
    InputClearButton: { defaultProps: { size: '1.5rem' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'md',
        padding: 'lg',
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        onExitTransitionEnd: rescueFocus,
      },
      styles: {
        // A shadow alone does not show on a dark ground.
        content: { border: '1px solid var(--mantine-color-default-border)' },
        // The close button stays level with the first line of a title that takes several.
        header: { alignItems: 'flex-start' },
        title: { lineHeight: 1.35, paddingBlock: 'calc((1.75rem - 1.35em) / 2)' },
      },
    },
    // The arrows inside are 17 px low; the keys do the same.
    NumberInput: { defaultProps: { hideControls: true } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 },
        inputContainer: (field: ReactNode) => createElement(CapsLockHint, null, field),
      },
    },
    Radio: { styles: roomyLine('--radio-size') },
    SegmentedControl: {
      styles: {
        root: { border: '1px solid var(--mantine-color-default-border)', background: 'var(--mantine-color-body)' },
        indicator: { background: 'var(--coffer-chosen)', boxShadow: 'none' },
      },
    },
    Select: {
      defaultProps: {
        // At the left the tick would push the chosen option out of line.
        checkIconPosition: 'right',
        comboboxProps: { shadow: 'md' },
        clearButtonProps: { 'aria-label': 'Clear' },
        // The list itself scrolls: Mantine's box inside of it is no part of the combobox that its keys move in.
        withScrollArea: false,
      },
      styles: { options: { maxHeight: '20rem', overflowY: 'auto' }, option: { overflowWrap: 'anywhere' } },
    },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: false } } },
  },
});

/** The theme with an accent. */
export const themeOf = ({ ten }: Shades): MantineThemeOverride => ({
  ...base,
  colors: { ...base.colors, accent: ten },
});

/** Colours that Mantine derives too faintly for text (WCAG AA), and the lines and backgrounds of this theme, by scheme. */
export const schemeColours = (accent: Shades) => ({
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b222c',
    '--mantine-color-dimmed': '#5b6675',
    '--mantine-color-placeholder': '#6b7686',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': accent.light.anchor,
    '--mantine-color-default-border': '#d3d9e1',
    '--coffer-line': '#e6e9ee',
    '--coffer-ground': '#f7f8fa',
    '--coffer-hover': '#f4f6f9',
    '--coffer-chosen': accent.light.chosen,
    '--coffer-chosen-text': accent.light.chosenText,
    '--coffer-chosen-line': accent.light.chosenLine,
    '--coffer-control': '#838d9c',
    '--coffer-focus': 'var(--mantine-color-accent-7)',
    '--coffer-warned': '#7a4a00',
    '--coffer-warned-ground': '#fbefd6',
    '--coffer-success': '#18794e',
    '--coffer-danger': '#b42318',
  },
  dark: {
    '--mantine-color-body': '#161b22',
    '--mantine-color-text': '#e3e7ee',
    '--mantine-color-dimmed': '#9ba5b5',
    '--mantine-color-placeholder': '#8792a3',
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-anchor': accent.dark.anchor,
    '--mantine-color-default-border': '#39424f',
    '--coffer-line': '#272e38',
    '--coffer-ground': '#10141a',
    '--coffer-hover': '#1b212a',
    '--coffer-chosen': accent.dark.chosen,
    '--coffer-chosen-text': accent.dark.chosenText,
    '--coffer-chosen-line': accent.dark.chosenLine,
    '--coffer-control': '#657184',
    '--coffer-focus': 'var(--mantine-color-accent-4)',
    '--coffer-warned': '#f2c46d',
    '--coffer-warned-ground': '#3d2f12',
    '--coffer-success': '#5cc894',
    '--coffer-danger': '#ff9b90',
  },
});

export const cssVariablesOf =
  (accent: Shades): CSSVariablesResolver =>
  () => ({ variables: {}, ...schemeColours(accent) });
