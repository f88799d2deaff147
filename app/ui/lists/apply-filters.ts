'use client';

import { createContext } from 'react';

/**
 * Applies the filters of the filter bar around. A control that is no field of the browser calls it
 * after its value has changed.
 */
export const ApplyFilters = createContext<() => void>(() => {});
