import { z } from 'zod';
import type { Verdict } from '../devices/devices.ts';
import { documentNameSchema } from '../documents/documents.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence, Permission, Scope } from '../access/permissions.ts';
import type { DeclaredPhase } from '../documents/document-phases.ts';
import type { DocumentParameter } from '../documents/ssm-document.ts';
import type { DocumentState } from '../states.ts';

/** `logs/tail`, `shell`: the name of a catalog entry with an optional subcommand after a slash. */
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
  readonly favorite: boolean;
  /** Whether the viewer can run it on any device; otherwise with the missing permission. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

/** Data for the form of the command screen. */
export interface CommandForm extends CommandDefinition {
  readonly documentVersion: number;
  readonly documentSha256: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly secretParameters: readonly string[];
  /** Median duration of past invocations; null without history. */
  readonly typicalDurationMs: number | null;
  readonly siblings: readonly CommandDefinition[];
  /** Only `active` documents can be run. */
  readonly documentState: DocumentState;
  /** Number of pre-check, verify, and undo steps. */
  readonly phases: Readonly<Record<DeclaredPhase, number>>;
  /** Names of the roles that can approve it. */
  readonly approverRoles: readonly string[];
  /** The values of the viewer's last run of this document without secrets; null without a run. */
  readonly lastValues: LastValues | null;
}

export interface LastValues {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly at: Timestamp;
}

export const documentUsageInput = z.object({ document: documentNameSchema });

/** `name` or `name:version`. */
export const whoMayRunInput = z.object({ document: z.string().max(160) });

/** Roles that can run a document, with the permissions that allow it. */
export interface DocumentRunners {
  readonly consequence: Consequence;
  /** Catalog commands that use it. A permission for any of them applies to this document. */
  readonly commands: readonly string[];
  readonly roles: readonly DocumentRunner[];
  /** Whether the viewer can run it, and the missing permission otherwise. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

export interface DocumentRunner {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** On which devices. */
  readonly scope: Scope;
  /** Whether it also has `documents:approve`. */
  readonly approves: boolean;
}

/** Usage of a document in the last 30 days. */
export interface DocumentUsage {
  readonly days: number;
  readonly runs: number;
  readonly invocations: number;
  /** Of finished invocations; null without any. */
  readonly successRate: number | null;
  /** Of successful invocations in the latest runs; null without any. */
  readonly medianDurationMs: number | null;
  /** Models with the most failures in the latest runs, among devices that the viewer can see. */
  readonly failingModels: readonly { readonly model: string | null; readonly failed: number }[];
}

/** A suggested next command, with the reason. */
export interface NextRemedy {
  readonly command: string;
  readonly consequence: Consequence;
  readonly description: string;
  readonly reason: 'succeeded' | 'failed' | 'verdict';
  /** The problem of the device, if that is the reason. */
  readonly verdict: Verdict | null;
}

export const getCommandFormInput = z.object({
  command: z.string().max(128),
  /**
   * `name` or `name:version`. Leave empty for the default version of the catalog entry's document.
   */
  document: z.string().max(160).default(''),
});

export const setFavoriteInput = z.object({
  command: commandNameSchema,
  favorite: z.boolean(),
});
