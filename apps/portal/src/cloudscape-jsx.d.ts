import type { JSX as ReactJSX } from 'react';

// Cloudscape’s declarations use the global JSX namespace, which the types of React 19 no longer
// contain.
declare global {
  namespace JSX {
    type Element = ReactJSX.Element;
    type ElementClass = ReactJSX.ElementClass;
    type IntrinsicElements = ReactJSX.IntrinsicElements;
    type LibraryManagedAttributes<C, P> = ReactJSX.LibraryManagedAttributes<C, P>;
  }
}
