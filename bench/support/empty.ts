/** Replacement for Node modules in a page. */
export const nothing = undefined;
