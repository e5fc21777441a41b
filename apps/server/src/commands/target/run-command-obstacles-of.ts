import type { RunCommandObstacle } from '@deviceportal/contract/run-command-obstacles';
import { obstaclesOf } from '../../systems-manager/to-ssm-document.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';

/** Why devices that AWS Systems Manager manages cannot run a command; empty if they can. */
export const runCommandObstaclesOf = (
  { document }: Pick<ResolvedCommand, 'document'>,
  isUndo = false,
): RunCommandObstacle[] =>
  obstaclesOf({
    content: document.parsed,
    phases: document.phases,
    secretParameters: document.secretParameters,
    isUndo,
  });
