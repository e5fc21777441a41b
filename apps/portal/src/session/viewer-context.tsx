import { createContext, useContext, useMemo, type ReactNode } from 'react';
import {
  holds,
  mayRun,
  type Consequence,
  type Permission,
} from '@deviceportal/contract/permissions';
import type { SessionDetail } from '@deviceportal/contract/session';

export interface ViewerRights {
  readonly detail: SessionDetail;
  /** Whether a permission is held anywhere. The server decides; the screens only mirror. */
  readonly may: (permission: Permission) => boolean;
  readonly mayRun: (command: string, consequence: Consequence) => boolean;
}

const ViewerContext = createContext<ViewerRights | undefined>(undefined);

export function ViewerProvider({
  detail,
  children,
}: {
  readonly detail: SessionDetail;
  readonly children: ReactNode;
}): ReactNode {
  const rights = useMemo<ViewerRights>(
    () => ({
      detail,
      may: (permission) => holds(detail.grants, permission),
      mayRun: (command, consequence) => mayRun(detail.grants, command, consequence),
    }),
    [detail],
  );
  return <ViewerContext value={rights}>{children}</ViewerContext>;
}

/** Who is signed in and what they may do: `const { may } = useViewer()`. */
export function useViewer(): ViewerRights {
  const rights = useContext(ViewerContext);
  if (rights === undefined) throw new Error('useViewer needs a signed-in page around it.');
  return rights;
}
