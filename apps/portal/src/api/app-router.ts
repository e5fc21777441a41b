/** Types of the server’s procedures. No server code is bundled for the browser. */
export type { AppRouter } from '@deviceportal/server/app-router';
