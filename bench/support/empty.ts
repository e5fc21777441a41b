/** What a bundler puts where a page has no module of Node. */
export const nothing = undefined;
