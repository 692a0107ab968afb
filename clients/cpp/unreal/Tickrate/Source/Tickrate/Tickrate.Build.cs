using System.IO;
using UnrealBuildTool;

public class Tickrate : ModuleRules
{
    public Tickrate(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        CppStandard = CppStandardVersion.Cpp17;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine" });
        PrivateDependencyModuleNames.Add("HTTP");
        // Copy what is in clients/cpp/include into ThirdParty/ of this module.
        PublicIncludePaths.Add(Path.Combine(ModuleDirectory, "ThirdParty"));
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicSystemLibraries.Add("advapi32.lib");
        }
    }
}
