import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { machineFactNames, type ReEnrollmentRequest } from '@deviceportal/contract/re-enrollment';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { refreshMs, whileNotLive } from '../../live/refresh-policy.ts';

/**
 * A machine that requests to enroll as this device. Renders nothing for viewers who cannot decide
 * on it.
 */
export function MachineRequest({ deviceId }: { readonly deviceId: string }): ReactNode {
  const api = useApi();
  const { may } = useViewer();
  const { data } = useQuery(
    api.devices.getReEnrollment.queryOptions(
      { deviceId },
      {
        enabled: may('devices:manage'),
        refetchInterval: whileNotLive(refreshMs.work),
      },
    ),
  );
  return data === undefined || data === null ? null : <Request request={data} />;
}

function Request({ request }: { readonly request: ReEnrollmentRequest }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const { approvedBy, id } = request;
  // Also after an error, because another user may have decided.
  const after = {
    onSettled: () => queryClient.invalidateQueries(api.devices.getReEnrollment.pathFilter()),
  };
  const approve = useMutation(api.devices.approveReEnrollment.mutationOptions(after));
  const reject = useMutation(api.devices.rejectReEnrollment.mutationOptions(after));
  const error = approve.error ?? reject.error;
  const busy = approve.isPending || reject.isPending;
  return (
    <Alert
      type="info"
      header={t(`devices.machineRequest.${approvedBy === null ? 'title' : 'approvedTitle'}`)}
      action={
        <SpaceBetween direction="horizontal" size="xs">
          <Button loading={reject.isPending} disabled={busy} onClick={() => reject.mutate({ id })}>
            {t('devices.machineRequest.reject')}
          </Button>
          {approvedBy === null ? (
            <Button
              loading={approve.isPending}
              disabled={busy}
              onClick={() => approve.mutate({ id })}
            >
              {t('devices.machineRequest.approve')}
            </Button>
          ) : null}
        </SpaceBetween>
      }
    >
      <SpaceBetween size="s">
        {approvedBy === null
          ? t('devices.machineRequest.body')
          : t('devices.machineRequest.approvedBody', { by: approvedBy })}
        <RequestFacts request={request} />
        {error === null ? null : <ErrorView error={error} place="alert" />}
      </SpaceBetween>
    </Alert>
  );
}

function RequestFacts({ request }: { readonly request: ReEnrollmentRequest }): ReactNode {
  const t = useT();
  const { machine, device } = request;
  const fingerprint = t('devices.machineRequest.fingerprint');
  return (
    <KeyValue
      items={[
        {
          label: fingerprint,
          value: <CopyableId value={request.keyFingerprint} name={fingerprint} />,
        },
        { label: t('devices.machineRequest.askedAt'), value: <Time at={request.askedAt} /> },
        { label: t('devices.machineRequest.expiresAt'), value: <Time at={request.expiresAt} /> },
        ...machineFactNames.map((name) => ({
          label: t(`devices.machineRequest.fact.${name}`),
          value: <Compared now={machine[name]} before={device[name]} />,
        })),
      ]}
    />
  );
}

/** An attribute of the machine, with the recorded value if it differs. */
function Compared(props: {
  readonly now: string | null;
  readonly before: string | null;
}): ReactNode {
  const t = useT();
  const { now, before } = props;
  return (
    <>
      {now ?? '-'}
      {now === before ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          {t('devices.machineRequest.onRecord', { value: before ?? '-' })}
        </Box>
      )}
    </>
  );
}
