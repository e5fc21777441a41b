import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { fieldIssues, isOnlyFieldIssues } from '../../ui/field-issues.ts';
import { labelProblems } from '../labels-text.ts';
import { claimInput, claimProblems, emptyClaim, type ClaimDraft } from './claim-draft.ts';
import { ClaimDetails, ClaimFields } from './claim-fields.tsx';
import { ClaimResult } from './claim-result.tsx';

const FIELDS = ['device', 'model', 'ownerId', 'country', 'labels', 'uses', 'lifetimeHours'];

/**
 * Adds one device with a name, or creates a claim for several devices, which are named when they
 * first connect.
 */
export function ClaimForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(emptyClaim);
  const [tried, setTried] = useState(false);
  const create = useMutation(
    api.devices.createClaim.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.devices.pathFilter()),
    }),
  );
  const set = (part: Partial<ClaimDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const problems = claimProblems(draft, t);
  const valid =
    Object.keys(problems).length === 0 &&
    labelProblems(draft.labels).every((problem) => problem === null);
  const issues = fieldIssues(create.error, t);
  if (create.data !== undefined) {
    return (
      <ClaimResult
        claim={create.data}
        onClose={onClose}
        onAnother={() => {
          create.reset();
          setTried(false);
          setDraft({ ...draft, serialNumber: '', name: '' });
        }}
      />
    );
  }
  const submit = (): void => {
    setTried(true);
    if (valid && !create.isPending) create.mutate(claimInput(draft));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <SpaceBetween size="m">
        <ClaimFields
          draft={draft}
          problems={problems}
          tried={tried}
          issues={issues}
          onChange={set}
        />
        <ClaimDetails draft={draft} issues={issues} onChange={set} />
        {create.error === null || isOnlyFieldIssues(create.error, FIELDS) ? null : (
          <ErrorView error={create.error} place="alert" />
        )}
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onClose}>
              {t('app.cancel')}
            </Button>
            <Button variant="primary" loading={create.isPending}>
              {t('devices.claim.create')}
            </Button>
          </SpaceBetween>
        </Box>
      </SpaceBetween>
    </form>
  );
}
