export const joinLinkDays = [1, 7, 30] as const;

export const joinLinkSizes = [10, 50, 200] as const;

export const maxJoinLinks = 5;

/** The terms of a join link. With `role`, everyone who is approved gets this role. */
export type JoinLinkTerms = {
  role: string | null;
  days: (typeof joinLinkDays)[number];
  maxRequests: (typeof joinLinkSizes)[number];
};
