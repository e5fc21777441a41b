/** The account in which terminals run. Never root. */

import { homedir, userInfo } from 'node:os';

export interface TerminalAccount {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface AgentAccount {
  readonly isRoot: boolean;
  readonly name: string;
  readonly shell: string | null;
  readonly home: string;
}

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';
const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}\$?$/i;

/** The account of the agent itself. */
export function agentAccount(): AgentAccount {
  const { username, shell } = userInfo();
  return { isRoot: process.getuid?.() === 0, name: username, shell, home: homedir() };
}

/**
 * An agent of root needs an account for its terminals, which `su` starts with its own groups and
 * environment. Other agents can only use their own account. Null if there is no such account.
 */
export function terminalAccount(
  wanted: string | null,
  agent: AgentAccount = agentAccount(),
): TerminalAccount | null {
  const environment = { TERM: 'xterm-256color', LANG: 'C.UTF-8', PATH };
  if (agent.isRoot) {
    if (wanted === null || wanted === 'root' || !USER_NAME.test(wanted)) return null;
    return {
      name: wanted,
      file: 'su',
      args: ['-', wanted],
      directory: '/',
      environment,
    };
  }
  if (wanted !== null && wanted !== agent.name) return null;
  const shell = agent.shell ?? '/bin/sh';
  return {
    name: agent.name,
    file: shell,
    args: ['-l'],
    directory: agent.home,
    environment: {
      ...environment,
      ...{ HOME: agent.home, USER: agent.name, LOGNAME: agent.name, SHELL: shell },
    },
  };
}
