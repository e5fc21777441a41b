import {
  consequences,
  holds,
  runPermissionsFor,
  type Consequence,
  type Grant,
  type RunPermission,
} from '@deviceportal/contract/permissions';

/** A command and document, as needed to check permissions. */
export interface Runnable {
  readonly command: string;
  readonly consequence: Consequence;
  /** Whether the document is the one bound to this command in the catalog. */
  readonly ownDocument: boolean;
}

/**
 * Permissions that allow a run; any one is sufficient. Permission for a command by name applies to its own document
 * only. With another document, only the consequence counts; otherwise permission for `logs/tail` would allow a factory
 * reset.
 */
export function permissionsToRun(runnable: Runnable): readonly RunPermission[] {
  return runnable.ownDocument
    ? runPermissionsFor(runnable.command, runnable.consequence)
    : [`commands:run:@${runnable.consequence}`];
}

/** Whether any grant allows the run on some device. */
export function mayRunAnywhere(grants: readonly Grant[], runnable: Runnable): boolean {
  return permissionsToRun(runnable).some((permission) => holds(grants, permission));
}

/** Whether the viewer can run documents of any consequence, and so use the `document` command. */
export function mayRunSomeClass(grants: readonly Grant[]): boolean {
  return consequences.some((consequence) => holds(grants, `commands:run:@${consequence}`));
}

/** The permission to report as missing. */
export function missingPermission(runnable: Runnable): string {
  return `commands:run:@${runnable.consequence}`;
}
