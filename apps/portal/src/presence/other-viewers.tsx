import Badge from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import { roleName } from '../access/roles/role-words.ts';
import { useT } from '../i18n/use-t.ts';
import { Time } from '../ui/time/time.tsx';
import { useOtherViewers } from './use-other-viewers.ts';

/** Other users who are viewing the device. Renders nothing without any. */
export function OtherViewers({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const others = useOtherViewers(deviceId);
  if (others.length === 0) return null;
  return (
    <span>
      {t('devices.presence.alsoHere')}{' '}
      {others.map((person) => (
        <span key={person.userId}>
          <Badge>{initials(person.name)}</Badge> {person.name}
          {person.role === null ? '' : ` (${roleName(person.role, t)})`},{' '}
          <Time at={person.since} />{' '}
        </span>
      ))}
    </span>
  );
}

function initials(name: string): string {
  const letters = name
    .split('@')[0]
    ?.split(/[\s._-]+/)
    .filter((part) => part !== '')
    .map((part) => [...part][0] ?? '');
  return (letters ?? []).slice(0, 2).join('').toUpperCase();
}
