/** An employee and their new invitation link. `username` is set when they have an account. */
export type CreatedInvitation = {
  employeeId: number;
  name: string;
  role: string;
  username: string | null;
  link: string;
};
