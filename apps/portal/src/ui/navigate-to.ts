let go: (href: string) => void = (href) => location.assign(href);

/** The router says how to go somewhere without a reload. */
export function setNavigate(navigate: (href: string) => void): void {
  go = navigate;
}

/** Goes to a path of this portal, from code that stands outside the router's components. */
export function navigateTo(href: string): void {
  go(href);
}
