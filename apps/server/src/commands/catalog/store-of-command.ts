import { stepsOfRun } from '@deviceportal/contract/document-phases';
import type { ParameterPort } from '../../platform/parameters/parameter-port.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import type { ResolvedCommand } from './resolve-command.ts';
import { resolveStoreValues, type GivenByStore } from '../parameters/resolve-store-values.ts';

/**
 * Resolves all parameter store references of a command and its sub-documents.
 *
 * @param isUndo whether to resolve the undo steps instead of the main steps
 * @throws PortalError 2004, 4000 as `resolveStoreValues`
 */
export function storeOfCommand(
  port: ParameterPort,
  { document, subDocuments }: Pick<ResolvedCommand, 'document' | 'subDocuments'>,
  { values, isUndo = false }: { readonly values: ParameterValues; readonly isUndo?: boolean },
): Promise<GivenByStore> {
  return resolveStoreValues(
    port,
    [
      stepsOfRun(document.parsed.mainSteps, document.phases, isUndo),
      subDocuments.map(({ parsed, phases }) => [
        parsed.mainSteps,
        Object.values(parsed.parameters ?? {}).map((parameter) => parameter.default),
        phases,
      ]),
    ],
    { declared: document.parsed.parameters ?? {}, values },
  );
}
