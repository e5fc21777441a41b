/** Written by the build (`build/`), see `vite.config.ts`. */
declare module 'virtual:sign-in-tokens.css';

declare module '*.md?raw' {
  const text: string;
  export default text;
}
