import {
  consequences,
  holds,
  runPermissionsFor,
  type Consequence,
  type Grant,
  type RunPermission,
} from '@deviceportal/contract/permissions';

/** What is to be run, as far as rights are concerned. */
export interface Runnable {
  readonly command: string;
  readonly consequence: Consequence;
  /** Whether the document is the one that the catalog binds to this command. */
  readonly ownDocument: boolean;
}

/**
 * The permissions of which any one allows it. A right for one command by its name is a right for its own document:
 * with another document only the class counts, else `logs/tail` could carry a factory reset.
 */
export function permissionsToRun(runnable: Runnable): readonly RunPermission[] {
  return runnable.ownDocument
    ? runPermissionsFor(runnable.command, runnable.consequence)
    : [`commands:run:@${runnable.consequence}`];
}

/** Whether any grant allows it somewhere. */
export function mayRunAnywhere(grants: readonly Grant[], runnable: Runnable): boolean {
  return permissionsToRun(runnable).some((permission) => holds(grants, permission));
}

/** Whether there is any class of documents that the viewer may run: who may open the free `document` command. */
export function mayRunSomeClass(grants: readonly Grant[]): boolean {
  return consequences.some((consequence) => holds(grants, `commands:run:@${consequence}`));
}

/** The permission to name when it is missing. */
export function missingPermission(runnable: Runnable): string {
  return `commands:run:@${runnable.consequence}`;
}
