/** Environment of the project's programs; the compile cache is shared with the test run. */
export const programEnv: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
