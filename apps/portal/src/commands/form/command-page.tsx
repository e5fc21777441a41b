import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { CommandScreen, type CommandScreenProps } from './command-screen.tsx';

export const Route = createLazyRoute('/commands/$name')({ component: CommandPage });

const route = getRouteApi('/commands/$name');

function CommandPage(): ReactNode {
  const { name } = route.useParams();
  const navigate = route.useNavigate();
  const onSearch = useCallback<CommandScreenProps['onSearch']>(
    (change, how) => void navigate({ search: (old) => ({ ...old, ...change }), ...how }),
    [navigate],
  );
  return <CommandScreen key={name} command={name} search={route.useSearch()} onSearch={onSearch} />;
}
