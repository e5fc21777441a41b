import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { furtherReaching } from '@deviceportal/contract/permissions';
import { effectDocument } from './effect-document.ts';
import type { EffectSubDocument, PlannedEffect } from './planned-effect.ts';

export interface EffectInput {
  readonly resolved: ResolvedCommand;
  /** The command that verifies the result; null if there is none. */
  readonly verification: ResolvedCommand | null;
  /** All parameters, including secret ones. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keyed digest of a secret value. */
  readonly digestSecret: (name: string, value: unknown) => string;
  readonly storeParameters: readonly string[];
  readonly devices: PlannedEffect['devices'];
  readonly strategy: PlannedEffect['strategy'];
}

/** Builds the effect from resolved inputs. Pure: the same input results in the same effect. */
export function plannedEffectOf(input: EffectInput): PlannedEffect {
  const { resolved, verification, values, storeParameters, devices, strategy } = input;
  const secret = new Set(resolved.document.secretParameters);
  const [hidden, open] = [true, false].map((wanted) =>
    Object.entries(values).filter(([name]) => secret.has(name) === wanted),
  ) as [[string, unknown][], [string, unknown][]];
  return {
    command: resolved.command,
    consequence:
      verification === null
        ? resolved.consequence
        : furtherReaching(resolved.consequence, verification.consequence),
    document: effectDocument(resolved.document),
    subDocuments: effectSubDocuments(resolved),
    verification:
      verification === null
        ? []
        : [effectDocument(verification.document), ...effectSubDocuments(verification)],
    parameters: Object.fromEntries(open),
    secretDigests: Object.fromEntries(
      hidden.map(([name, value]) => [name, input.digestSecret(name, value)]),
    ),
    storeParameters: storeParameters.toSorted(),
    devices,
    strategy,
  };
}

export function effectSubDocuments({ subDocuments }: ResolvedCommand): EffectSubDocument[] {
  return subDocuments
    .map((one) => ({ ...effectDocument(one), reference: one.reference }))
    .toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
}
