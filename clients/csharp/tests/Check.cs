// Checks that name their place and go on, so that one run shows every fault.
using System;
using System.IO;
using System.Text;
using Tickrate;

internal static class Check
{
    private static int passed, failed;
    private static string current = "";
    private static string vectors = "";
    private static string scratch = "";

    internal static void Open(string vectorsFolder, string scratchFolder)
    {
        vectors = vectorsFolder;
        scratch = scratchFolder;
    }

    internal static void Test(string name, Action test)
    {
        current = name;
        int before = failed;
        try
        {
            test();
        }
        catch (Exception fault)
        {
            failed++;
            Console.WriteLine("  FAILED " + name + ": " + fault);
        }
        if (failed == before) passed++;
    }

    internal static void Same<T>(T actual, T expected, string what)
    {
        if (Equals(actual, expected)) return;
        failed++;
        Console.WriteLine("  FAILED " + current + ": " + what + " is " + actual + ", expected " + expected);
    }

    internal static void Same(Json actual, Json expected, string what)
    {
        if (!actual.Same(expected)) Same(actual.ToString(), expected.ToString(), what);
    }

    internal static void That(bool holds, string what) { Same(holds, true, what); }

    internal static Json Vector(string name)
    {
        Json json = Json.Parse(Encoding.UTF8.GetString(File(name)));
        That(json != null, name + " is JSON");
        return json;
    }

    internal static byte[] File(string name) { return System.IO.File.ReadAllBytes(Path.Combine(vectors, name)); }
    internal static string[] VectorFiles(string folder) { return Directory.GetFiles(Path.Combine(vectors, folder)); }

    internal static string NewFolder()
    {
        string folder = Path.Combine(scratch, Guid.NewGuid().ToString());
        Directory.CreateDirectory(folder);
        return folder;
    }

    internal static int End()
    {
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
