import type { Plugin } from 'vite';

const FIRST_PAINT_FONTS = ['open-sans-400-normal', 'open-sans-700-normal'];

/**
 * Preloads the two font faces of the first paint together with the page, instead of after its
 * stylesheet.
 */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {});
        return FIRST_PAINT_FONTS.flatMap((font) => files.filter((file) => file.includes(font))).map(
          (file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: '',
            },
            injectTo: 'head' as const,
          }),
        );
      },
    },
  };
}
