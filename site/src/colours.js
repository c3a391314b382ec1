// Colours of the picture and the plots, light and dark. Those of the page around them are in style.css.

const LIGHT = {
  sky: 0xf2f4f7, ground: 0xe9ecf0, line: 0xd3d9e0, middle: 0x6f93bd, left: 0x86abd1, right: 0x557aa6, object: 0xc9964a,
  other: 0x8f9bb0, obstacle: 0xb4bcc6, hold: 0x7d6a56, contact: 0x159a6c, external: 0xd9422f, ghost: 0x7a5bd0,
  support: 0x159a6c, margin: 0x2b6cb5, pull: 0xd9422f,
  ink: '#1c232b', weak: '#6a7683', grid: '#dfe4ea',
};
const DARK = {
  sky: 0x14181d, ground: 0x1b2026, line: 0x2b333c, middle: 0x7ea6d6, left: 0x9cc0e6, right: 0x5f87b8, object: 0xd8a85c,
  other: 0x8794aa, obstacle: 0x59636f, hold: 0xa08a70, contact: 0x35c48f, external: 0xff6d5a, ghost: 0xa68cf2,
  support: 0x35c48f, margin: 0x6aa9ec, pull: 0xff6d5a,
  ink: '#e6eaef', weak: '#93a0ae', grid: '#2b333c',
};
/** Of lines and areas in plots: told apart by hue, and by lightness in turn. */
export const SERIES = [
  '#3f7fc4', '#e0943a', '#3aa37c', '#c9557f', '#8a6fd1', '#b0a12f', '#4fb3c9', '#a4623c', '#7f8fa3', '#d06fd0',
];

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** The colours for how the visitor likes it. */
export const colours = () => (dark.matches ? DARK : LIGHT);

/** Calls back whenever that changes. */
export const onColours = (change) => dark.addEventListener('change', change);
