/** The address of this page without `proof`, which says how a way to a provider ended. */
export function pageWithoutProof(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete('proof');
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}
