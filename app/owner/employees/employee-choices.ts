/** The values of the filters of the employee list, in the order of their menus. */
export const employeeChoices = {
  state: ['active', 'inactive'],
  account: ['own', 'none', 'uninvited', 'invited'],
  portal: ['never', 'away', 'silent'],
  sort: ['new'],
} as const;
