/** Written by the build (`build/`), see `vite.config.ts`. */
declare module 'virtual:sign-in-tokens.css';

declare module '*.md?raw' {
  const text: string;
  export default text;
}

declare module 'virtual:component-messages/*.json' {
  import type { I18nProviderProps } from '@cloudscape-design/components/i18n';

  const messages: I18nProviderProps['messages'][number];
  export default messages;
}
