import { EventEmitter } from 'node:events';
import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';

/** A committed change that viewers may be watching. */
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
  /** May connect again. */
  | { readonly kind: 'devices-resumed'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'audit-trail'; readonly deviceIds: readonly string[] }
  /** People whose keys were destroyed, as keys name them. */
  | { readonly kind: 'person-erased'; readonly people: readonly string[] }
  /** Output of a terminal is stored, or the device has opened it. */
  | { readonly kind: 'terminal-output'; readonly sessionId: string }
  | { readonly kind: 'terminal-ended'; readonly sessionId: string }
  /** Users began or stopped to watch. */
  | { readonly kind: 'terminal-watchers'; readonly sessionId: string }
  /** A device answers, and has taken input of this attachment. */
  | {
      readonly kind: 'terminal-alive';
      readonly sessionId: string;
      readonly deviceId: string;
      readonly attachment: number;
      readonly inputUpTo: number;
    }
  /** A message to a device, for the servers that serve devices. */
  | {
      readonly kind: 'terminal-down';
      readonly deviceId: string;
      readonly payload: string;
      readonly qos: 0 | 1;
    }
  /** A request for files of a device is signed and stored, and can be sent. */
  | { readonly kind: 'file-request'; readonly requestId: string }
  /** It has ended. */
  | { readonly kind: 'file-request-ended'; readonly requestId: string }
  | { readonly kind: 'web-page-ended'; readonly sessionId: string }
  /** A message of a web page to a device, for the servers that serve devices. */
  | {
      readonly kind: 'web-page-down';
      readonly deviceId: string;
      readonly payload: string;
      readonly qos: 0 | 1;
    }
  /** A part of a response from a device, for the server that has its browser. */
  | { readonly kind: 'web-page-up'; readonly deviceId: string; readonly payload: string }
  | { readonly kind: 'case'; readonly caseIds: readonly string[] }
  /** Users, by `sub`, whose notifications changed. */
  | { readonly kind: 'notifications'; readonly subjects: readonly string[] };

/** Notifies parts of the server about committed changes. Publish only after commit. */
export interface ChangeFeed {
  publish(changes: readonly Change[]): void;
  subscribe(listener: (change: Change) => void): Disposable;
}

/** A feed within one process. An error of one listener does not affect the others. */
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
