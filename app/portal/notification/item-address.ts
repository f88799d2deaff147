/** Returns the address of the page of one notification. */
export const itemAddress = (no: number): string => `/portal/notifications/${no}`;
