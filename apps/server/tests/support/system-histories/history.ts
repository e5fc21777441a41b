/** How a message between a device and the broker travels. */
export type Fate = 'once' | 'twice' | 'lost' | 'late' | 'swapped';

/** How a script on a device ends by itself; null where it goes on until somebody ends it. */
export type ScriptEnd = 0 | 1 | null;

/** The people of a history: two operators, two administrators, and a person who has to ask for more than looking. */
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

/** A number that picks among what there is at that moment. */
type Pick = number;

interface ByPerson {
  readonly who: number;
}

/** What a person does. */
export type PersonAct = ByPerson &
  (
    | {
        readonly kind: 'run';
        readonly command: Command;
        readonly devices: readonly number[];
        readonly maxConcurrency: string;
        readonly maxErrors: string;
        readonly timeoutSeconds: number;
        readonly whenLocked: 'ask' | 'queue';
        /** The same request twice at once, by way of two servers. */
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
        /** Whoever operates the rollout does it instead. */
        readonly byOperator: boolean;
      }
    | { readonly kind: 'look' | 'approve' | 'approve-as-seen' | 'reject'; readonly pick: Pick }
    | {
        readonly kind: 'operate';
        readonly pick: Pick;
        readonly act: RolloutAct;
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
    | { readonly kind: 'lifecycle'; readonly device: number; readonly act: LifecycleAct }
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

/** What happens to a device. */
export type DeviceAct =
  | {
      readonly kind: 'connect' | 'vanish' | 'shut-down' | 'crash' | 'late' | 'heartbeat';
      readonly device: number;
    }
  | { readonly kind: 'work'; readonly device: number; readonly exitCode: 0 | 1 };

export type Act = PersonAct | DeviceAct;

export interface DeviceTraits {
  readonly clockSkewMs: number;
  /** Of its messages, one after the other, over and over. */
  readonly fates: readonly Fate[];
  /** Of its scripts, likewise. */
  readonly scripts: readonly ScriptEnd[];
  /** Whether its scripts outlive its agent. */
  readonly keepsProcesses: boolean;
}

/** Four people and four devices that have nothing to do with those of other histories. */
export interface History {
  readonly devices: readonly DeviceTraits[];
  /** What happens at once in each round; the rounds of all histories of a system happen at once, too. */
  readonly acts: readonly (readonly Act[])[];
}

/** What the worker of a server does. */
export const jobs = ['dispatch', 'rollouts', 'accessGrants', 'presence', 'seal', 'keep'] as const;
export type Job = (typeof jobs)[number];

export interface Round {
  /** By how much the clock of everybody moves before it. */
  readonly clockMs: number;
  /** By how much the clock of each server differs. */
  readonly skewMs: readonly number[];
  /** What each server does by itself. */
  readonly jobs: readonly (readonly Job[])[];
  /** One dies after so many more statements. */
  readonly kill: { readonly server: number; readonly afterStatements: number } | null;
}

/** Several histories on the same servers, at the same time. */
export interface SystemScript {
  readonly histories: readonly History[];
  readonly rounds: readonly Round[];
  /** Whether the months of the trail become files at the end, months later. */
  readonly archives: boolean;
}

export const SERVERS = 2;
