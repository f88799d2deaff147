/** How long a join link can be valid, in days. */
export const joinLinkDays = [1, 7, 30] as const;

/** How many requests a join link can take. */
export const joinLinkSizes = [10, 50, 200] as const;

/** The most open join links of a company. */
export const maxJoinLinks = 5;

/** The terms of a join link. With `role`, everyone who is approved gets this role. */
export type JoinLinkTerms = {
  role: string | null;
  days: (typeof joinLinkDays)[number];
  maxRequests: (typeof joinLinkSizes)[number];
};
