import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { fieldsOfPlan } from './plan-fields.ts';
import { PlanForm } from './plan-form.tsx';

/** Edits the plan of a rollout. Saving creates a new plan with its own target set. */
export function EditPlan({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}): ReactNode {
  const api = useApi();
  // Loaded once when the form opens, so that a refresh does not replace what was typed.
  const query = useQuery(
    api.airBlast.getPlan.queryOptions({ id }, { gcTime: 0, staleTime: Infinity }),
  );
  if (query.isError) {
    return <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) return <Spinner />;
  const { revision, change, secretParameters } = query.data;
  const document = change.kind === 'document' ? change.document : '';
  return (
    <PlanForm
      first={fieldsOfPlan(query.data)}
      edited={{ id, revision, document, secretParameters }}
      onFrozen={onClose}
      onCancel={onClose}
    />
  );
}
