import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActiveCase, CaseDetail } from '@deviceportal/contract/cases';
import { useApi } from '../api/use-api.ts';
import { setActiveCaseId } from './active-case-id.ts';

/** Actions on a case. The next request is already sent in the case that the action activates. */
export function useCaseActs() {
  const api = useApi();
  const queryClient = useQueryClient();
  const keep = (active: ActiveCase | null): void => {
    setActiveCaseId(active?.id ?? null);
    queryClient.setQueryData(api.cases.active.queryKey(), active);
    void queryClient.invalidateQueries(api.cases.pathFilter());
  };
  const isIn = { onSuccess: (found: CaseDetail) => keep(found) };
  const isOut = { onSuccess: () => keep(null) };
  const changed = {
    onSuccess: () => void queryClient.invalidateQueries(api.cases.pathFilter()),
  };
  return {
    open: useMutation(api.cases.open.mutationOptions(isIn)),
    enter: useMutation(api.cases.enter.mutationOptions(isIn)),
    reopen: useMutation(api.cases.reopen.mutationOptions(isIn)),
    leave: useMutation(api.cases.leave.mutationOptions(isOut)),
    close: useMutation(api.cases.close.mutationOptions(changed)),
    assign: useMutation(api.cases.assign.mutationOptions(changed)),
    update: useMutation(api.cases.update.mutationOptions(changed)),
    addNote: useMutation(api.cases.addNote.mutationOptions(changed)),
  };
}
