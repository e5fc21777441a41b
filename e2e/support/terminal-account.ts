import { readFileSync } from 'node:fs';

/**
 * The account for terminals of a real agent: none if the tests do not run as root, because the agent
 * then uses its own. Undefined if root has no account with a shell.
 */
export function terminalAccountName(): string | null | undefined {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => /\/(?:ba|da)?sh$/.test(each) && !each.startsWith('root:'));
  return line?.split(':', 1)[0];
}
