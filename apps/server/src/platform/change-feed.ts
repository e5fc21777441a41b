import { EventEmitter } from 'node:events';
import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';

/** Something that was just committed and that somebody may be looking at. */
export type Change =
  | { readonly kind: 'device-status'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'device-changed'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'run-created'; readonly runId: string }
  | { readonly kind: 'run-resumed'; readonly runId: string }
  | { readonly kind: 'run'; readonly runIds: readonly string[] }
  | {
      readonly kind: 'invocations';
      readonly changed: readonly {
        readonly id: string;
        readonly runId: string;
        readonly deviceId: string;
        readonly state: InvocationState;
        readonly statusDetails: StatusDetails;
      }[];
    }
  | {
      readonly kind: 'output';
      readonly invocationId: string;
      readonly deviceId: string;
      readonly stream: 'stdout' | 'stderr';
      readonly offset: number;
      readonly text: string;
    }
  | { readonly kind: 'cancel'; readonly invocationIds: readonly string[] }
  | { readonly kind: 'devices-blocked'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'audit-trail'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'case'; readonly caseIds: readonly string[] }
  /** People, by their `sub`, who have other notifications than before. */
  | { readonly kind: 'notifications'; readonly subjects: readonly string[] };

/** Tells the parts of the server what has been committed. Publish after commit, never before. */
export interface ChangeFeed {
  publish(changes: readonly Change[]): void;
  subscribe(listener: (change: Change) => void): Disposable;
}

/** Within one process. A listener's failure is its own: the others still hear. */
export function createLocalChangeFeed(onListenerError: (error: unknown) => void): ChangeFeed {
  const emitter = new EventEmitter<{ change: [Change] }>();
  emitter.setMaxListeners(0);
  return {
    publish(changes) {
      for (const change of changes) emitter.emit('change', change);
    },
    subscribe(listener) {
      const guarded = (change: Change): void => {
        try {
          listener(change);
        } catch (error) {
          onListenerError(error);
        }
      };
      emitter.on('change', guarded);
      return { [Symbol.dispose]: () => emitter.off('change', guarded) };
    },
  };
}
