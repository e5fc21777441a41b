/** How a message between a device and the broker is delivered. */
export type Fate = 'once' | 'twice' | 'lost' | 'late' | 'swapped';

/** How a script on a device ends by itself; null if it runs until it is stopped. */
export type ScriptEnd = 0 | 1 | null;

/** The users of a history: two operators, two administrators, and one who has to request more than reading. */
export const PEOPLE = ['operator', 'colleague', 'administrator', 'reviewer', 'newcomer'] as const;
export const DEVICES = 4;
export const ROUNDS = 16;

export const commands = [
  'storage/usage',
  'restart/service',
  'config/set',
  'shell',
  'factory-reset',
] as const;
export type Command = (typeof commands)[number];

/** A number that selects among the existing items. */
type Pick = number;

interface ByPerson {
  readonly who: number;
}

/** An action of a user. */
export type UserAction = ByPerson &
  (
    | {
        readonly kind: 'run';
        readonly command: Command;
        readonly devices: readonly number[];
        readonly maxConcurrency: string;
        readonly maxErrors: string;
        readonly timeoutSeconds: number;
        readonly whenLocked: 'ask' | 'queue';
        /** The same request twice at the same time, on two servers. */
        readonly twice: boolean;
      }
    | {
        readonly kind: 'cancel-run' | 'pause-run' | 'resume-run' | 'cancel-invocation';
        readonly pick: Pick;
      }
    | { readonly kind: 'approve-run' | 'reject-run'; readonly pick: Pick }
    | { readonly kind: 'rerun' | 'undo'; readonly pick: Pick; readonly twice: boolean }
    | {
        readonly kind: 'plan';
        readonly command: Command;
        readonly devices: readonly number[];
        readonly canaryPercent: number;
        readonly maxErrors: string;
        readonly soakSeconds: number;
      }
    | {
        readonly kind: 'edit-plan';
        readonly pick: Pick;
        readonly command: Command;
        readonly devices: readonly number[];
      }
    | {
        readonly kind: 'next-step';
        readonly pick: Pick;
        readonly twice: boolean;
        /** Performed by the operator of the rollout instead. */
        readonly byOperator: boolean;
      }
    | { readonly kind: 'look' | 'approve' | 'approve-as-seen' | 'reject'; readonly pick: Pick }
    | {
        readonly kind: 'operate';
        readonly pick: Pick;
        readonly action: RolloutAct;
        readonly byOperator: boolean;
      }
    | { readonly kind: 'ask-role'; readonly role: string; readonly minutes: number }
    | { readonly kind: 'grant-role' | 'refuse-role' | 'end-role'; readonly pick: Pick }
    | {
        readonly kind: 'suspend' | 'restore';
        readonly whom: number;
        readonly stopQueued: boolean;
      }
    | {
        readonly kind: 'change-roles';
        readonly whom: number;
        readonly role: string;
        readonly add: boolean;
      }
    | { readonly kind: 'lifecycle'; readonly device: number; readonly action: LifecycleAct }
  );

export const rolloutActs = [
  'pause',
  'resume',
  'abort',
  'retry',
  'leaveOutFailed',
  'handOver',
  'takeOver',
  'renewToken',
] as const;
export type RolloutAct = (typeof rolloutActs)[number];
type LifecycleAct = 'suspend' | 'resume' | 'retire';

/** An event on a device. */
export type DeviceAction =
  | {
      readonly kind: 'connect' | 'vanish' | 'shut-down' | 'crash' | 'late' | 'heartbeat';
      readonly device: number;
    }
  | { readonly kind: 'work'; readonly device: number; readonly exitCode: 0 | 1 };

export type Action = UserAction | DeviceAction;

export interface DeviceTraits {
  readonly clockSkewMs: number;
  /** Delivery of its messages, repeated cyclically. */
  readonly fates: readonly Fate[];
  /** Results of its scripts, likewise. */
  readonly scripts: readonly ScriptEnd[];
  /** Whether its scripts survive its agent. */
  readonly keepsProcesses: boolean;
}

/** Users and devices that are independent of those of other histories. */
export interface History {
  readonly devices: readonly DeviceTraits[];
  /** Concurrent actions in each round; the rounds of all histories of a system are concurrent, too. */
  readonly actions: readonly (readonly Action[])[];
}

/** Jobs of a server's worker. */
export const jobs = ['dispatch', 'rollouts', 'accessGrants', 'presence', 'seal', 'keep'] as const;
export type Job = (typeof jobs)[number];

export interface Round {
  /** By how much the common clock is advanced before it. */
  readonly clockMs: number;
  /** The clock offset of each server. */
  readonly skewMs: readonly number[];
  /** The jobs that each server runs. */
  readonly jobs: readonly (readonly Job[])[];
  /** One is killed after so many further statements. */
  readonly kill: { readonly server: number; readonly afterStatements: number } | null;
}

/** Several concurrent histories on the same servers. */
export interface SystemScript {
  readonly histories: readonly History[];
  readonly rounds: readonly Round[];
  /** Whether the months of the trail are archived at the end. */
  readonly archives: boolean;
}

export const SERVERS = 2;
