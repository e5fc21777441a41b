/** Written by the build (`build/`), see `vite.config.ts`. */
declare module 'virtual:sign-in-tokens.css';
