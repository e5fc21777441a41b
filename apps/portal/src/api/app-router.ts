/** The server's procedures, as types only: nothing of the server reaches the browser. */
export type { AppRouter } from '@deviceportal/server/app-router';
