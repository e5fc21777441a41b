/** What a program of ours needs of its surroundings; compiled code is kept where the test run keeps it. */
export const programEnv: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
