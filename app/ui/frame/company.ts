import { createContext } from 'react';
import type { LogoPicture } from '#app/ui/frame/company-logo.tsx';

/** The company of the signed-in person, for texts and papers that name it. `Frame` provides it. */
export const Company = createContext<{ company: string; logo: LogoPicture | null }>({ company: '', logo: null });
