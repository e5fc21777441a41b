import Container from '@cloudscape-design/components/container';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

/** A placeholder for the page until the first response. */
export function DeviceSkeleton(): ReactNode {
  return (
    <SpaceBetween size="m">
      <Skeleton height="56px" />
      <Container>
        <SpaceBetween size="s">
          <Skeleton height="24px" width="30%" />
          <Skeleton height="120px" />
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}
