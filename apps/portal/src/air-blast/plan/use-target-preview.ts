import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { useApi } from '../../api/use-api.ts';
import { targetOf } from './plan-fields.ts';
import type { Plan } from './use-plan.ts';

/**
 * The devices that the plan in the form would reach. Disabled until devices and a change are
 * chosen.
 */
export function useTargetPreview(plan: Plan): UseQueryResult<TargetPreview, unknown> {
  const api = useApi();
  const { command, document, fields, form } = plan;
  const target = targetOf(fields.devices);
  return useQuery(
    api.commands.previewTarget.queryOptions(
      { command, document, target: target ?? { kind: 'filter', filter: {} } },
      {
        enabled: target !== null && form.data !== undefined,
        staleTime: 30_000,
      },
    ),
  );
}
