import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Known {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  readonly choices: readonly string[];
}

/** A script that completes names of commands and options, made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = program.commands.map(knownOf);
  const scripts = { bash, zsh, fish };
  return scripts[shell](program.name(), commands);
}

function knownOf(command: Command): Known {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ flag: long, description }],
    ),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  };
}

const wordsOf = ({ options, choices }: Known): string =>
  [...choices, ...options.map(({ flag }) => flag)].join(' ');

const names = (commands: readonly Known[]): string => commands.map(({ name }) => name).join(' ');

function bash(program: string, commands: readonly Known[]): string {
  return `_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]:-}" in
${commands.map((each) => `    ${each.name}) words="${wordsOf(each)}" ;;`).join('\n')}
    *) words="${names(commands)}" ;;
  esac
  if [ "$COMP_CWORD" -le 1 ]; then words="${names(commands)}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

function zsh(program: string, commands: readonly Known[]): string {
  const cases = commands.map((each) => `    ${each.name}) compadd -- ${wordsOf(each)} ;;`);
  return `#compdef ${program}
_${program}() {
  if (( CURRENT == 2 )); then
    compadd -- ${names(commands)}
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
compdef _${program} ${program}
`;
}

function fish(program: string, commands: readonly Known[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, (mark) => `\\${mark}`)}'`;
  const lines = commands.flatMap(({ name, description, options, choices }) => [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...(choices.length === 0
      ? []
      : [
          `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -f -a '${choices.join(' ')}'`,
        ]),
    ...options.map(
      (option) =>
        `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -l ${option.flag.slice(2)} -d ${quoted(option.description)}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
