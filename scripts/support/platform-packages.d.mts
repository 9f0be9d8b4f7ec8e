export interface Platform {
  os: string;
  cpu: string;
  libc: string | undefined;
}

interface LockedPackage {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

export declare function missingPackages(
  wanted: Record<string, LockedPackage>,
  installed: Record<string, LockedPackage>,
  here?: Platform,
): string[];

export declare function unlistedPackages(packages: Record<string, LockedPackage>): Record<string, LockedPackage>;
