import { homedir } from 'node:os';
import packageFile from '../package.json' with { type: 'json' };
import { runCli } from './run-cli.ts';

// `deviceportal devices | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const { stdout, stderr, stdin, env, platform } = process;
process.exitCode = await runCli(
  { stdout, stderr, stdin, env, homeDir: homedir(), platform },
  process.argv.slice(2),
  packageFile.version,
);
