import { z } from 'zod';
import type { Verdict } from '../devices/devices.ts';
import { documentNameSchema } from '../documents/documents.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence, Permission, Scope } from '../access/permissions.ts';
import type { DeclaredPhase } from '../documents/document-phases.ts';
import type { DocumentParameter } from '../documents/ssm-document.ts';
import type { DocumentState } from '../states.ts';

/** `logs/tail`, `shell`: a catalogue entry's name and, after a slash, its sub-command. */
export const commandNameSchema = z.string().regex(/^[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)?$/);

export interface CommandDefinition {
  readonly command: string;
  readonly name: string;
  readonly sub: string | null;
  readonly documentName: string | null;
  readonly consequence: Consequence;
  readonly needsSerialNumber: boolean;
  readonly group: 'diagnose' | 'fix' | 'change' | 'reset' | 'free';
  readonly description: string;
  readonly platforms: readonly string[];
  readonly favourite: boolean;
  /** Whether the viewer may run it anywhere; the permission that is missing otherwise. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

/** Everything the command screen needs to make its form. */
export interface CommandForm extends CommandDefinition {
  readonly documentVersion: number;
  readonly documentSha256: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly secretParameters: readonly string[];
  /** Median duration of past invocations, null without history. */
  readonly typicalDurationMs: number | null;
  readonly siblings: readonly CommandDefinition[];
  /** Only `active` runs. */
  readonly documentState: DocumentState;
  /** How many steps look before and after it, and take it back. */
  readonly phases: Readonly<Record<DeclaredPhase, number>>;
  /** Names of the roles that may approve it. */
  readonly approverRoles: readonly string[];
  /** What the viewer ran this document with last, secrets left out; null before the first time. */
  readonly lastValues: LastValues | null;
}

export interface LastValues {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly at: Timestamp;
}

export const documentUsageInput = z.object({ document: documentNameSchema });

/** `name` or `name:version`. */
export const whoMayRunInput = z.object({ document: z.string().max(160) });

/** Which roles may run a document, and by which of their permissions. */
export interface DocumentRunners {
  readonly consequence: Consequence;
  /** Catalogue commands that bind it: a right for one of them by its name is a right for this document. */
  readonly commands: readonly string[];
  readonly roles: readonly DocumentRunner[];
  /** Whether the viewer may, and what is missing otherwise. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

export interface DocumentRunner {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** On which devices. */
  readonly scope: Scope;
  /** Whether it also holds `documents:approve`. */
  readonly approves: boolean;
}

/** How a document was used in the last 30 days. */
export interface DocumentUsage {
  readonly days: number;
  readonly runs: number;
  readonly invocations: number;
  /** Of finished invocations; null without any. */
  readonly successRate: number | null;
  /** Of successful ones in its latest runs; null without any. */
  readonly medianDurationMs: number | null;
  /** Where it failed most in its latest runs, among devices that the viewer may see. */
  readonly failingModels: readonly { readonly model: string | null; readonly failed: number }[];
}

/** A command that helps next, and why. */
export interface NextRemedy {
  readonly command: string;
  readonly consequence: Consequence;
  readonly description: string;
  readonly reason: 'succeeded' | 'failed' | 'verdict';
  /** What is wrong with the device, where that is the reason. */
  readonly verdict: Verdict | null;
}

export const getCommandFormInput = z.object({
  command: z.string().max(128),
  /** `name` or `name:version`; empty takes the catalogue entry's own document in its default version. */
  document: z.string().max(160).default(''),
});

export const setFavouriteInput = z.object({
  command: commandNameSchema,
  favourite: z.boolean(),
});
