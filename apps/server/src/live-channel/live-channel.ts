import type { Server } from 'node:http';
import type { ViewerTransport } from '../gateway/viewer-transport.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { acceptUpgrades, type AcceptUpgradesOptions } from './accept-upgrades.ts';
import { LiveViewers, type LiveViewersDependencies } from './live-viewers.ts';

export interface LiveChannelDependencies extends LiveViewersDependencies {
  readonly changes: ChangeFeed;
  readonly viewers: ViewerTransport;
  readonly server: Server;
  readonly verify: AcceptUpgradesOptions['verify'];
  readonly addressOf: AcceptUpgradesOptions['addressOf'];
  readonly identityPoolId: string;
  readonly otherPaths?: AcceptUpgradesOptions['otherPaths'];
  readonly limits?: AcceptUpgradesOptions['limits'];
  /** Interval at which permissions are checked again. */
  readonly recheckMs?: number;
}

/**
 * A sign-out, suspension, or change of role takes effect on open connections within seconds (one statement for all).
 */
const RECHECK_MS = 2_000;
const SCOPE_RECHECK_MS = 30_000;

/** Sends browsers the changes of what they watch and are permitted to see. */
export function createLiveChannel(deps: LiveChannelDependencies): AsyncDisposable {
  const live = new LiveViewers(deps);
  const subscription = deps.changes.subscribe((change) => live.onChange(change));
  const upgrades = acceptUpgrades({
    server: deps.server,
    socketPath: deps.viewers.socketPath,
    identityPoolId: deps.identityPoolId,
    verify: deps.verify,
    addressOf: deps.addressOf,
    onAccepted: (identity) => live.accept(identity),
    logger: deps.logger,
    ...(deps.otherPaths !== undefined && { otherPaths: deps.otherPaths }),
    ...(deps.limits !== undefined && { limits: deps.limits }),
  });
  deps.viewers.attach({
    watched: (messages) => {
      for (const message of messages) live.watch(message);
    },
    gone: (connections) => live.forget(connections),
  });
  let rechecking = false;
  const recheck = setInterval(() => {
    if (rechecking) return;
    rechecking = true;
    live
      .recheckRights()
      .catch((error: unknown) =>
        deps.logger.warn({ err: error }, 'live channel permission check failed'),
      )
      .finally(() => {
        rechecking = false;
      });
  }, deps.recheckMs ?? RECHECK_MS);
  const recheckScopes = setInterval(() => live.recheckScopes(), SCOPE_RECHECK_MS);
  recheck.unref();
  recheckScopes.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(recheck);
      clearInterval(recheckScopes);
      subscription[Symbol.dispose]();
      upgrades[Symbol.dispose]();
      await live[Symbol.asyncDispose]();
    },
  };
}
