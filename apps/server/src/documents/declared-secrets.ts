import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * @throws PortalError 2004 with a path `['secretParameters', index]` for each parameter that the text does not declare
 */
export function requireDeclared(document: SsmDocument, secretParameters: readonly string[]): void {
  const issues = secretParameters
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => !Object.hasOwn(document.parameters ?? {}, name))
    .map(({ name, index }) => ({
      path: ['secretParameters', index],
      message: `"${name}" is not a parameter of the document`,
    }));
  if (issues.length > 0) throw refuse('secret-parameter-unknown', { issues });
}
