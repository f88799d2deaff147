/** The largest body of a request to `/api/auth/`, in bytes. */
export const maxSignInBodyBytes = 16 * 1024;
