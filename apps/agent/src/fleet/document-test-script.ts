/**
 * Detects scripts that the minimal shell of simulated devices cannot run and that would only seem
 * to fail.
 */

const WORDS: ReadonlySet<string> = new Set([
  ...['echo', 'printf', 'sleep', 'seq', 'exit', 'true', 'false', 'date', 'hostname', 'uname'],
  ...['uptime', 'whoami', 'df', 'top', 'ps', 'ping', 'kill', 'reboot', 'set', ':'],
]);

/** The first unsupported part of a script; null if all of it is supported. */
export function beyondSimulation(script: string): string | null {
  if (script.startsWith('#!')) return script.split('\n', 1)[0] ?? '';
  for (const raw of script.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    // Pipes, redirections, substitutions, and tests require a real shell.
    if (/[|<>`]|\$\(|\$\{|\|\||\[\[?\s/.test(line.replaceAll(/'[^']*'/g, ''))) return line;
    for (const statement of line.split(/;|&&/)) {
      const [word = ''] = statement.trim().split(/\s+/);
      const isRestart = /^systemctl\s+restart\s/.test(statement.trim());
      if (word !== '' && !WORDS.has(word) && !isRestart) return word;
    }
  }
  return null;
}
