/**
 * A minimal shell for custom scripts on simulated devices: `echo`, `printf`, `sleep`, `seq`,
 * `exit`, `true`, `false`, `date` (`-s '+40 minutes'` makes the clock wrong), `hostname`, `uname`,
 * `uptime`, `whoami`, `df`, `ping`, `kill`, `systemctl restart`, `reboot`; simple lines, joined by
 * `;` and `&&`. All other commands are "not found".
 */

import { setClock } from './clock-scripts.ts';
import { processTop, storageUsage } from './diagnosis-scripts.ts';
import { networkPing } from './network-scripts.ts';
import { processKill } from './remedy-scripts.ts';
import { restartServiceScript } from './service-scripts.ts';
import { complaint, line, type ScriptContext, type SimulatedScript } from './simulated-script.ts';

const MAX_LINES = 2_000;

export function* freeScript(context: ScriptContext, script: string): SimulatedScript {
  let code = 0;
  let count = 0;
  for (const raw of script.split(/\n/)) {
    const text = raw.trim();
    if (text === '' || text.startsWith('#')) continue;
    for (const [position, part] of splitStatements(text).entries()) {
      count += 1;
      if (count > MAX_LINES) return code;
      if (position > 0 && part.onlyIfGood && code !== 0) break;
      const words = splitWords(part.text, context);
      if (words[0] === 'exit') return Number(words[1] ?? code) & 0xff;
      code = yield* runWords(context, words);
    }
  }
  return code;
}

interface Statement {
  readonly text: string;
  readonly onlyIfGood: boolean;
}

function splitStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let onlyIfGood = false;
  for (const piece of text.split(/(;|&&)/)) {
    if (piece === ';' || piece === '&&') onlyIfGood = piece === '&&';
    else if (piece.trim() !== '') statements.push({ text: piece.trim(), onlyIfGood });
  }
  return statements;
}

/** Words without quotes. `$SSM_name` and `$HOSTNAME` are substituted. */
function splitWords(text: string, context: ScriptContext): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => {
    if (/^'.*'$/.test(word)) return word.slice(1, -1);
    const bare = /^".*"$/.test(word) ? word.slice(1, -1) : word;
    return bare.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => variable(context, name));
  });
}

function variable(context: ScriptContext, name: string): string {
  if (name === 'HOSTNAME') return context.plan.name;
  const value = name.startsWith('SSM_') ? context.parameters[name.slice(4)] : undefined;
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

function* runWords(context: ScriptContext, words: readonly string[]): SimulatedScript {
  const [command = '', ...args] = words;
  if (command === 'date' && args[0] === '-s') return yield* setClock(context, args[1] ?? '');
  const answer = answers(context, args)[command];
  if (answer !== undefined) {
    yield line(answer, 5);
    return 0;
  }
  switch (command) {
    case 'true':
    case 'set':
    case ':':
      return 0;
    case 'false':
      return 1;
    case 'sleep':
      yield { afterMs: Math.min(3_600, Number(args[0]) || 0) * 1_000, stream: 'stdout', text: '' };
      return 0;
    case 'seq':
      return yield* sequence(args);
    case 'df':
      return yield* storageUsage(context);
    case 'top':
    case 'ps':
      return yield* processTop(context);
    case 'ping':
      return yield* networkPing(withParameters(context, { host: args.at(-1) ?? '' }));
    case 'kill':
      return yield* processKill(withParameters(context, { pid: args.at(-1) ?? '' }));
    case 'systemctl':
      if (args[0] === 'restart')
        return yield* restartServiceScript(withParameters(context, { service: args[1] ?? '' }));
      break;
    case 'reboot':
      context.reboot();
      return 0;
    default:
  }
  yield complaint(`sh: 1: ${command}: not found`, 5);
  return 127;
}

const withParameters = (
  context: ScriptContext,
  parameters: Record<string, string>,
): ScriptContext => ({
  ...context,
  parameters,
});

function answers(context: ScriptContext, args: readonly string[]): Partial<Record<string, string>> {
  return {
    echo: args.join(' '),
    printf: (args[0] ?? '').replaceAll('\\n', '\n').trimEnd(),
    date: new Date(context.nowMs + context.health.clockOffsetSeconds * 1_000).toUTCString(),
    hostname: context.plan.name,
    whoami: 'root',
    uname: args.length > 0 ? `Linux ${context.plan.name} 6.1.0 aarch64` : 'Linux',
    uptime: `up ${Math.floor(context.uptimeSeconds / 3_600)} hours`,
  };
}

function* sequence(args: readonly string[]): SimulatedScript {
  const numbers = args.map(Number);
  const [first = 1, last = first] = numbers.length > 1 ? numbers : [1, numbers[0] ?? 1];
  for (let value = first; value <= Math.min(last, first + MAX_LINES); value += 1) {
    yield line(String(value), 0);
  }
  return 0;
}
